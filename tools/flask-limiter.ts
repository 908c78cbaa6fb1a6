import { fileURLToPath } from 'node:url';
import type { ToolSearch } from './finding.ts';
import type { PythonWithPackage } from './python-package.ts';
import { findPythonPackage } from './python-package.ts';

/** The file that pins Flask-Limiter and everything that it needs. */
export const FLASK_LIMITER_REQUIREMENTS = fileURLToPath(new URL('./flask-limiter.txt', import.meta.url));

/** Finds Flask-Limiter, a third-party limiter that the tests run against. */
export const findFlaskLimiter = (options: Partial<ToolSearch> = {}): Promise<PythonWithPackage> =>
  findPythonPackage(
    { name: 'flask-limiter', package: 'Flask-Limiter', requirements: FLASK_LIMITER_REQUIREMENTS },
    options,
  );
