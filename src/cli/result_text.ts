import type { DetectedFace, DetectResult, PurgeReport } from '../ops/responses.ts';

type Report = Omit<PurgeReport, 'durationMs'>;

/**
 * What was done to a photo, in one line: what is hidden, what should be checked, and every warning.
 * @param output the path of the result
 * @param looked whether faces were looked for
 */
export function cleanedLine(file: string, output: string, report: Report, looked: boolean): string {
  const { width, height, facesDetected, facesSpared = 0, belowConfidence, warnings } = report;
  const regions = report.regionsPixelated + (report.regionsFilled ?? 0);
  const facts = [
    looked ? `${counted(facesDetected - facesSpared, 'face')} hidden` : 'faces not looked for',
    facesSpared > 0 && `${counted(facesSpared, 'face')} left visible`,
    regions > 0 && `${counted(regions, 'region')} hidden`,
    belowConfidence.length > 0 &&
      `${counted(belowConfidence.length, 'spot')} not hidden, perhaps faces (${boxes(belowConfidence)})`,
    ...warnings,
  ];
  return `${file} → ${output}, ${width} × ${height}: ${facts.filter(Boolean).join('; ')}`;
}

/** What was found in a photo; including spots below the confidence if they were requested. */
export function detectedLine(file: string, { count, belowConfidence }: DetectResult): string {
  if (!belowConfidence) return `${file}: ${counted(count, 'face')}`;
  const where = belowConfidence.length > 0 ? ` (${boxes(belowConfidence, true)})` : '';
  const spots = `${counted(belowConfidence.length, 'spot')} below the confidence asked for`;
  return `${file}: ${counted(count, 'face')}; ${spots}${where}`;
}

/** Boxes in the form of --region, in whole pixels that enclose them. */
const boxes = (found: readonly DetectedFace[], withConfidence = false): string =>
  found
    .map(({ x, y, w, h, confidence }) => {
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const box = [left, top, Math.ceil(x + w) - left, Math.ceil(y + h) - top].join(',');
      return withConfidence ? `${box} at ${confidence.toFixed(2)}` : box;
    })
    .join(' ');

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
