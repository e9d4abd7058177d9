import { inputSchemaOf, outputSchemaOf, type Tool, tools } from '../../api/tools.ts';

/** Tools that work without a service: those of `/mcp` except for the usage of a key. */
export const fileTools = tools.filter(({ name }) => name !== 'get_usage');

type ObjectSchema = {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  [member: string]: unknown;
};

const path = {
  type: 'string',
  description:
    'Path of the image in a folder of this server, in place of image: absolute, or below its first folder.',
};
const outputPath = {
  type: 'string',
  description:
    'Where the clean image is written, in a folder of this server that is there; .jpg, .png or .webp chooses the ' +
    'format. Nothing is replaced. Without it the image comes as content.',
};

/** The definitions of `/mcp` with paths as an alternative to images: every tool takes one of the two. */
export function fileToolList() {
  return fileTools.map((tool) => {
    const writes = tool.name === 'sanitize_image';
    const { properties, required, ...input } = inputSchemaOf(tool) as ObjectSchema;
    return {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: {
        ...input,
        properties: { path, ...properties, ...(writes && { output_path: outputPath }) },
        required: required.filter((name) => name !== 'image'),
      },
      outputSchema: outputOf(tool, writes),
      annotations: {
        title: tool.title,
        readOnlyHint: !writes,
        destructiveHint: false,
        idempotentHint: !writes,
        openWorldHint: false,
      },
    };
  });
}

function outputOf(tool: Tool, writes: boolean): ObjectSchema {
  const { properties, ...output } = outputSchemaOf(tool) as ObjectSchema;
  return {
    ...output,
    properties: { ...properties, ...(writes && { output_path: { type: 'string' } }) },
  } as ObjectSchema;
}
