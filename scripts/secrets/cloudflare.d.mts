type Wrangler = (
  args: readonly string[],
  input?: string,
) => { status: number | null; stdout: string; stderr: string };
export function putMissingSecrets(wrangler: Wrangler): Record<string, string>;
