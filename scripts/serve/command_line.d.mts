export const USAGE: string;
export function readCommandLine(args: readonly string[]): {
  port: number;
  host: string;
  data: string;
  built: boolean;
};
