import { expect, it } from 'vitest';
import { withSourceLink } from '../../scripts/playground/source_link.mjs';

const statement = '<li><!-- source:The source. --><a href="/licence">Licence</a></li>';

it('a document links to the sources where package.json names them, and invents no address', () => {
  expect(withSourceLink(statement, 'git+ssh://git@code.example/team/tool.git')).toBe(
    '<li><a href="https://code.example/team/tool">The source.</a> <a href="/licence">Licence</a></li>',
  );
  for (const unknown of [undefined, '/srv/tool', 'git@localhost:team/tool.git'])
    expect(withSourceLink(statement, unknown)).toBe('<li><a href="/licence">Licence</a></li>');
});
