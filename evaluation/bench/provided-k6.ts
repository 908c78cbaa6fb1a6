import { UserError } from '../../kernel/basics/user-error.ts';
import { findK6 } from '../../load/k6/find.ts';

/**
 * The path of a k6, which is installed where it is missing.
 * @throws {UserError} where there is none and none can be installed.
 */
export async function providedK6(): Promise<string> {
  const k6 = await findK6({ report: (line) => console.log(`  … ${line}`) });
  if (k6.kind === 'missing') {
    throw new UserError(`this measurement needs k6, which is missing and cannot be installed. ${k6.advice}`);
  }
  return k6.path;
}
