/** A setting that is set to what can't be meant. */
export interface SettingFault {
  readonly name: string;
  readonly expected: string;
  /** What it is set to; undefined for secrets. */
  readonly came: string | undefined;
}

export function settingFaults(settings: Readonly<Record<string, unknown>>): SettingFault[];
