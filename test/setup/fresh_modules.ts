import { vi } from 'vitest';

/** Files share a runtime, but no file finds the modules that an earlier one has loaded, nor their state. */
vi.resetModules();
