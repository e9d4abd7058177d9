import { readsEveryKind } from './libvips_suite.ts';

readsEveryKind(18);
