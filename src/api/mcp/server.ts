import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { DeployedDetectors } from '../../detectors/deployed.ts';
import { inputSchemaOf, outputSchemaOf, type Tool, tools, toolsFor } from '../tools.ts';
import { SERVICE_VERSION } from '../version.ts';

/** Runs one tool call; never throws. */
export type CallTool = (tool: Tool, args: unknown) => Promise<CallToolResult>;

const instructions =
  'Gives photos back clean before they are published or shared: sanitize_image pixelates faces and chosen regions and ' +
  'removes all metadata; detect_faces and inspect_image only look. Images go in as base64, never as addresses, and are ' +
  'not kept. Without an API key one image call a minute is free. Finding no face is no proof that there is none.';

/** Tools change nothing: each makes a new result from the image it is given. */
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/**
 * The served revisions that use `initialize`. Earlier ones have batches, or lack streamable HTTP. Revisions
 * without `initialize` are added by the SDK's handler.
 */
const supportedProtocolVersions = ['2025-11-25', '2025-06-18'];

type ObjectSchema = { type: 'object'; [member: string]: unknown };

type Listed = { name: string; inputSchema: ObjectSchema };

let latest: { readonly deployed: unknown; readonly listed: Listed[] } | undefined;

function toolList(deployed: DeployedDetectors | undefined): Listed[] {
  if (latest && latest.deployed === deployed) return latest.listed;
  const listed = toolsFor(deployed?.detectors).map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    annotations: { title: tool.title, ...annotations },
  }));
  latest = { deployed, listed: listed as unknown as Listed[] };
  return latest.listed;
}

/**
 * An MCP server for one request; nothing is kept between requests.
 * @param deployed the deployment's additional detectors
 */
export function mcpServer(callTool: CallTool, deployed?: DeployedDetectors): Server {
  const server = new Server(
    { name: 'image-sanitizer', title: 'Image sanitizer', version: SERVICE_VERSION },
    { capabilities: { tools: {} }, instructions, supportedProtocolVersions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolList(deployed) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name.slice(0, 64))}`,
      );
    return callTool(tool, params.arguments);
  });
  return server;
}
