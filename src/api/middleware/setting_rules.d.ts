/** A setting with an invalid value. */
export interface SettingFault {
  readonly name: string;
  readonly expected: string;
  /** Its value; undefined for secrets. */
  readonly came: string | undefined;
}

export function settingFaults(settings: Readonly<Record<string, unknown>>): SettingFault[];
