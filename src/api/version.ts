/** Version of the interface and of its description (specification: Versioning). */
export const SERVICE_VERSION = '1.0.0';
