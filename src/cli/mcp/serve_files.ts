import type { Buffer } from 'node:buffer';
import { availableParallelism } from 'node:os';
import type { Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { MessageId } from '../../json/rpc_message.ts';
import { threadCount } from '../../library/thread_count.ts';
import { createSanitizer } from '../../library/worker.ts';
import { CallLimit } from './call_limit.ts';
import { callTool, type ToolContext } from './call_tool.ts';
import { fileToolList, fileTools } from './file_tools.ts';
import { Folders } from './folders.ts';
import { errorLine, readLine } from './read_line.ts';
import { WholeLines } from './whole_lines.ts';

/** Bytes for all images together. */
const MEMORY = 1024 * 1024 * 1024;
/** Room for a message with an image of 25 MB in base64 and its other members. */
const MAX_MESSAGE = 48 * 1024 * 1024;

/**
 * Calls that may wait, and the bytes of their messages. While there are as many, no more messages are read.
 */
const MOST_WAITING = 16;
const MOST_WAITING_BYTES = 2 * MAX_MESSAGE;
/** Messages whose facts are kept: the SDK handles a message soon after it was read. */
const MOST_KEPT = 64;

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
  const context = {
    sanitizer,
    folders,
    maxBytes: Math.floor(MEMORY / workers),
    now,
  };
  const calls = new CallLimit(workers);
  const messages = new Map<MessageId, MessageFacts>();
  const output = process.stdout;
  const takes = (line: Buffer) => {
    const message = readLine(line);
    if (!message) return false;
    if ('answer' in message) {
      output.write(message.answer);
      return false;
    }
    const [oldest] = messages.keys();
    if (oldest !== undefined && messages.size >= MOST_KEPT) messages.delete(oldest);
    messages.set(message.id, { opsDuplicates: message.opsDuplicates, bytes: line.length });
    return true;
  };
  const tooLong = () =>
    output.write(
      errorLine(ProtocolErrorCode.InvalidRequest, `Expected a message of at most ${MAX_MESSAGE} bytes`),
    );
  /** When the next line may come: the SDK has handled the last one, and its answers are read. */
  const ready = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await calls.fewerThan(MOST_WAITING, MOST_WAITING_BYTES);
    if (output.writableNeedDrain) await drained(output);
  };
  const lines = new WholeLines(MAX_MESSAGE, tooLong, takes, ready);
  await new Promise<void>((resolve) => {
    const input = process.stdin.pipe(lines);
    const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE });
    const server = () => fileServer({ ...context, calls, messages }, version);
    const handle = serveStdio(server, { transport });
    process.stdin.once('end', () => void handle.close().then(resolve));
  });
  return 0;
}

/** Resolves once a stream takes more, or is closed. */
function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      output.off('drain', end).off('close', end);
      resolve();
    };
    output.on('drain', end).on('close', end);
  });
}

/** What the SDK does not tell of a message. */
interface MessageFacts {
  /** Names that the ops of a call hold twice. */
  readonly opsDuplicates: readonly string[];
  /** Bytes of its line. */
  readonly bytes: number;
}

interface ServerContext extends ToolContext {
  readonly calls: CallLimit;
  /** By the id of the message. */
  readonly messages: Map<MessageId, MessageFacts>;
}

/** A server for one connection. */
function fileServer(context: ServerContext, version: string): Server {
  const server = new Server(
    { name: 'image-sanitizer', title: 'Image sanitizer', version },
    { capabilities: { tools: {} }, instructions },
  );
  const listed = fileToolList();
  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { id, signal } }) => {
    const { calls, messages } = context;
    const tool = fileTools.find(({ name }) => name === params.name);
    if (!tool) {
      const name = JSON.stringify(params.name.slice(0, 64));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
    }
    // A client that uses an id twice hides the size of a message: it counts as the largest.
    const { opsDuplicates, bytes } = messages.get(id) ?? { opsDuplicates: [], bytes: MAX_MESSAGE };
    messages.delete(id);
    return calls.run(signal, bytes, () => callTool(tool, params.arguments, context, signal, opsDuplicates));
  });
  return server;
}
