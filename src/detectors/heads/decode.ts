import type { Head } from '../manifest.ts';
import { decodeScrfd, decodeYunet } from './anchor_free.ts';
import type { Candidate, HeadContext, Outputs } from './candidates.ts';
import { decodeBoxes, decodeSsd } from './plain_boxes.ts';
import { decodeMap } from './probability_map.ts';
import { decodeYoloNms, decodeYolov5, decodeYolov8 } from './yolo.ts';

/**
 * Decodes a network's outputs according to the manifest's head; most confident first, not yet suppressed.
 * @throws HeadError if an output does not match the head
 */
export function decodeHead(outputs: Outputs, rule: Head, context: HeadContext): Candidate[] {
  switch (rule.head) {
    case 'yolov5':
      return decodeYolov5(outputs, rule, context);
    case 'yolov8':
      return decodeYolov8(outputs, rule, context);
    case 'yolo-nms':
      return decodeYoloNms(outputs, rule, context);
    case 'yunet':
      return decodeYunet(outputs, rule, context);
    case 'scrfd':
      return decodeScrfd(outputs, rule, context);
    case 'ssd':
      return decodeSsd(outputs, rule, context);
    case 'boxes':
      return decodeBoxes(outputs, rule, context);
    case 'map':
      return decodeMap(outputs, rule, context);
  }
}
