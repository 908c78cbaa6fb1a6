import { fileURLToPath } from 'node:url';
import type { ToolSearch } from './finding.ts';
import type { PythonWithPackage } from './python-package.ts';
import { findPythonPackage } from './python-package.ts';

const REQUIREMENTS = fileURLToPath(new URL('./in-toto.txt', import.meta.url));

/** Finds securesystemslib and in-toto-attestation, which verify our attestations in a test. */
export const findInToto = (options: Partial<ToolSearch> = {}): Promise<PythonWithPackage> =>
  findPythonPackage({ name: 'in-toto', package: 'securesystemslib', requirements: REQUIREMENTS }, options);
