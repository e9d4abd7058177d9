import type { Buffer } from 'node:buffer';
import { availableParallelism } from 'node:os';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { sizeFault } from '../../json/size.ts';
import { threadCount } from '../../library/thread_count.ts';
import { createSanitizer } from '../../library/worker.ts';
import { callTool, type ToolSurroundings } from './call_tool.ts';
import { fileToolList, fileTools } from './file_tools.ts';
import { Folders } from './folders.ts';
import { WholeLines } from './whole_lines.ts';

/** Bytes for all images together. */
const MEMORY = 1024 * 1024 * 1024;
/** Room for a message with an image of 25 MB in base64 and its other members. */
const MAX_MESSAGE = 48 * 1024 * 1024;

/** Answers a message that is not read further; the connection continues. @param id of the message, as JSON */
function refuse(message: string, id = 'null'): void {
  const error = JSON.stringify({ code: ProtocolErrorCode.InvalidRequest, message });
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"error":${error}}\n`);
}

/**
 * The id of a message that ends with it, as many clients write messages: the last brace closes the message.
 */
const LAST_ID = /"id":\s*(\d{1,15}|"[\w-]{1,64}")\s*\}\s*$/;

/**
 * Whether a message, without its image, is within the limits of `/mcp`: the SDK would need seconds for
 * 200,000 members.
 */
function isSmall(message: Buffer): boolean {
  const fault = sizeFault(message.toString('latin1'));
  if (fault)
    refuse(`The message ${fault}`, LAST_ID.exec(message.toString('latin1', message.length - 128))?.[1]);
  return !fault;
}

const instructions =
  'Gives photos of this machine back clean before they are published or shared: sanitize_image pixelates faces and chosen ' +
  'regions and removes all metadata; detect_faces and inspect_image only look. Files go in and out as paths within the ' +
  'folders of this server, or as base64; nothing is replaced, and nothing leaves the machine. Finding no face is no ' +
  'proof that there is none.';

/**
 * Serves the tools on the standard input and output until the input ends.
 * @param paths folders in which files may be named
 * @param now a clock in milliseconds, with any zero
 * @throws CallError for a path that is not a folder
 */
export async function serveFiles(
  paths: readonly string[],
  version: string,
  now: () => number,
): Promise<number> {
  const folders = await Folders.of(paths);
  const workers = threadCount(MEMORY, availableParallelism(), undefined);
  using sanitizer = createSanitizer({ workers, memoryBudget: MEMORY });
  const surroundings = {
    sanitizer,
    folders,
    maxBytes: Math.floor(MEMORY / workers),
    now,
  };
  const tooLong = () => refuse(`Expected a message of at most ${MAX_MESSAGE} bytes`);
  const lines = new WholeLines(MAX_MESSAGE, tooLong, isSmall);
  await new Promise<void>((resolve) => {
    const input = process.stdin.pipe(lines);
    const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE });
    const handle = serveStdio(() => fileServer(surroundings, version), { transport });
    process.stdin.once('end', () => void handle.close().then(resolve));
  });
  return 0;
}

/** A server for one connection. */
function fileServer(surroundings: ToolSurroundings, version: string): Server {
  const server = new Server(
    { name: 'image-sanitizer', title: 'Image sanitizer', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: fileToolList() }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = fileTools.find(({ name }) => name === params.name);
    if (!tool) {
      const name = JSON.stringify(params.name.slice(0, 64));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
    }
    return callTool(tool, params.arguments, surroundings, mcpReq.signal);
  });
  return server;
}
