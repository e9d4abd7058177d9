import type { ParsedJson } from '../../json/parse.ts';
import { duplicatesOfOps, messageFault } from '../../json/rpc_message.ts';
import { JsonRpcError } from './json_rpc_error.ts';

/**
 * Checks a message as `messageFault` does.
 * @returns dotted paths of ops members that are named twice, to be reported to the model
 * @throws JsonRpcError
 */
export function checkMessage({ value, duplicates }: ParsedJson): string[] {
  const fault = messageFault(value, duplicates);
  if (fault) throw new JsonRpcError('invalidRequest', fault.message, fault.id);
  return duplicatesOfOps(duplicates);
}
