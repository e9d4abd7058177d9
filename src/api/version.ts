/** Version of the interface and of its description (the specification's "Versioning"). */
export const SERVICE_VERSION = '1.0.0';
