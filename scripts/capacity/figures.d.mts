interface CallFigures {
  readonly cpuMs: number;
  readonly fileBytes: number;
  readonly jobBytes: number;
  readonly answerBytes: number;
}
export const CALLS: Readonly<Record<'faces' | 'no faces' | 'webp' | 'inspect', CallFigures>>;
