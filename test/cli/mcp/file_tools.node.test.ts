import { expect, it } from 'vitest';
import { inputSchemaOf, tools } from '../../../src/api/tools.ts';
import { fileToolList, fileTools } from '../../../src/cli/mcp/file_tools.ts';

it('are those of /mcp without the usage of a key, with paths beside pictures', () => {
  expect(fileTools.map(({ name }) => name)).toEqual(['sanitize_image', 'detect_faces', 'inspect_image']);
  for (const { name, description, inputSchema } of fileToolList()) {
    const tool = tools.find((one) => one.name === name)!;
    const { properties } = inputSchemaOf(tool) as { properties: object };
    expect(description).toBe(tool.description);
    expect(inputSchema.properties).toMatchObject({ ...properties, path: { type: 'string' } });
    expect(inputSchema.required).toEqual([]);
  }
});

it('say that one of them writes, and none replaces', () => {
  const list = fileToolList();
  expect(list.map(({ annotations }) => annotations.readOnlyHint)).toEqual([false, true, true]);
  expect(list.every(({ annotations }) => !annotations.destructiveHint)).toBe(true);
  const [sanitize, detect] = list;
  expect(sanitize!.inputSchema.properties).toHaveProperty('output_path');
  expect(sanitize!.outputSchema.properties).toHaveProperty('output_path');
  expect(detect!.inputSchema.properties).not.toHaveProperty('output_path');
});
