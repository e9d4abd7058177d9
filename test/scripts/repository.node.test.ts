import { describe, expect, it } from 'vitest';
import {
  fileAddress,
  missingFields,
  sourceAddress,
  sourceFields,
} from '../../scripts/package/repository.mjs';

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'someone/some.thing',
};
const gitlab = { GITLAB_CI: 'true', CI_PROJECT_URL: 'https://gitlab.com/group/below/thing' };

describe('the address of the sources', () => {
  it('is what GitHub and GitLab say of a job, before the remote', () => {
    const origin = 'https://git.example/other/fork.git';
    expect(sourceAddress(github, origin)).toBe('https://github.com/someone/some.thing');
    expect(sourceAddress(gitlab, origin)).toBe('https://gitlab.com/group/below/thing');
    expect(sourceAddress({}, origin)).toBe('https://git.example/other/fork');
  });

  it.each([
    'https://git.example/a/b.git',
    'https://git.example/a/b/',
    'https://name:secret@git.example/a/b.git\n',
    'git@git.example:a/b.git',
    'git.example:a/b',
    'ssh://git@git.example:2222/a/b.git',
    'git+ssh://git@git.example/a/b',
    'git://git.example/a/b.git',
  ])('is read from %j, without what is secret or git’s alone', (origin) => {
    expect(sourceAddress({}, origin)).toBe('https://git.example/a/b');
  });

  it.each([
    undefined,
    '',
    '/home/me/code.git',
    '../code',
    'file:///home/me/code.git',
    'C:\\code\\thing',
    'git@build:a/b.git',
    'https://localhost/a/b.git',
    'https://git.example/',
  ])('is not made up from %j', (origin) => {
    expect(sourceAddress({}, origin)).toBeUndefined();
  });
});

it('a file has an address where the form of the host’s is known', () => {
  expect(fileAddress('git+https://github.com/a/b.git', 'docs/x y.md')).toBe(
    'https://github.com/a/b/blob/HEAD/docs/x%20y.md',
  );
  expect(fileAddress('git@gitlab.com:a/b.git', 'docs/x.md')).toBe(
    'https://gitlab.com/a/b/-/blob/HEAD/docs/x.md',
  );
  expect(fileAddress('https://git.example/a/b.git', 'docs/x.md')).toBeUndefined();
  expect(fileAddress(undefined, 'docs/x.md')).toBeUndefined();
});

describe('the fields of package.json', () => {
  it('name where to read and to report, where that is known', () => {
    expect(sourceFields('https://github.com/a/b')).toEqual({
      repository: { type: 'git', url: 'git+https://github.com/a/b.git' },
      homepage: 'https://github.com/a/b#readme',
      bugs: { url: 'https://github.com/a/b/issues' },
    });
    expect(sourceFields('https://gitlab.com/a/b').bugs).toEqual({
      url: 'https://gitlab.com/a/b/-/issues',
    });
    expect(sourceFields('https://git.example/a/b')).toEqual({
      repository: { type: 'git', url: 'git+https://git.example/a/b.git' },
    });
  });

  it('stay as they are where they name the place, in any form', () => {
    const address = 'https://github.com/a/b';
    expect(missingFields({}, address)).toEqual(sourceFields(address));
    expect(missingFields({ repository: 'git@github.com:A/b.git' }, address)).toEqual({});
    expect(missingFields(sourceFields(address), address)).toEqual({});
    expect(missingFields(sourceFields(address), undefined)).toEqual({});
  });

  it('are refused where no address is known, and where another is', () => {
    expect(() => missingFields({}, undefined)).toThrow('package.json names no repository');
    const fork = sourceFields('https://github.com/fork/b');
    expect(() => missingFields(fork, 'https://github.com/a/b')).toThrow('but this is https://github.com/a/b');
  });
});
