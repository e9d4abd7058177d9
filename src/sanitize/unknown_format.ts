import { type Fault, unsupportedFault } from '../faults.ts';
import { identify } from '../metadata/signatures.ts';
import { inputFormatNames } from '../vocabulary/format_names.ts';

/** The fault for bytes that are of no input format; it names what they are. */
export function unknownFormat(bytes: Uint8Array): Fault {
  const { format, name } = identify(bytes);
  return unsupportedFault(`Expected a ${inputFormatNames('or')} image but received ${format ?? name}`);
}
