import { UserError } from '../../../kernel/basics/user-error.ts';
import { SUITE } from '../../../kernel/findings/suite.ts';
import type { AttestedReport, StatedSpecification } from '../../certificate/attested-run.ts';

/**
 * The specification that an attestation names: that of the report. A report of load of an earlier version
 * names none, and was judged by the one that belongs to its version of the suite.
 * @param own the specification of this installation.
 * @throws {UserError} where another version judged a load run, so that its specification is not known here.
 */
export function statedSpecification(
  { suiteVersion, specification }: AttestedReport,
  own: StatedSpecification,
): StatedSpecification {
  if (specification !== undefined) return specification;
  if (suiteVersion === SUITE.version) return own;
  throw new UserError(
    `The load run was judged by another version of the suite, and this is ${SUITE.version}: attest it with the version that judged it.`,
  );
}
