import cliProgress from 'cli-progress';
import { type Counts, paceOf } from './summary.ts';

/** A bar on a terminal, with lines above it. */
export interface ProgressBar {
  /** @param underway completed part of the files in progress, as a number of files */
  show(counts: Counts, underway: number): void;
  /** Prints a line that stays. */
  line(text: string): void;
  /** Removes the bar. */
  end(): void;
}

/** @param elapsed seconds since the run began */
export function progressBar(stream: NodeJS.WriteStream, elapsed: () => number): ProgressBar {
  const bars = new cliProgress.MultiBar(
    {
      stream,
      format: '{bar} {percentage} %, {ended}/{total} files, {refused} refused, {pace}',
      barsize: 24,
      clearOnComplete: true,
      hideCursor: true,
      // The program ends by itself, after finishing what it began.
      gracefulExit: false,
      emptyOnZero: true,
      // Printing a line has erased the bar.
      forceRedraw: true,
    },
    cliProgress.Presets.shades_classic,
  );
  let bar: cliProgress.SingleBar | undefined;
  return {
    show(counts, underway) {
      const { total, done, refused, skipped } = counts;
      const ended = done + refused + skipped;
      const shown = { ended, refused, pace: paceOf(counts, underway, elapsed()) };
      bar ??= bars.create(total, 0, shown);
      bar.update(ended + underway, shown);
    },
    line(text) {
      if (!bar) {
        stream.write(`${text}\n`);
        return;
      }
      // The library holds lines back until its next update, and would end without printing them.
      bars.log(`${text}\n`);
      bars.update();
    },
    end() {
      if (bar) bars.update();
      bars.stop();
    },
  };
}
