import { conformance } from './index.ts';

conformance();
