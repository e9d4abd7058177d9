import { startImage } from './image';
import { Lossless } from './state';

/** Goes back to the main image's first pixel. */
export function rewind(lossless: Lossless): void {
  const reader = lossless.reader;
  reader.bits = lossless.startBits;
  reader.count = lossless.startCount;
  reader.next = lossless.startNext;
  startImage(lossless.main, lossless.ring, lossless.ringBytes);
}
