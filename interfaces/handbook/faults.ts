import { faults } from '../../reference-server/catalogue/faults/index.ts';
import type { RequirementId } from '../../spec/register.ts';

/** The faults of the catalogue that fail a requirement, or make it warn, one item each. */
export const faultsOf = (id: RequirementId): readonly string[] =>
  faults.flatMap(({ id: fault, description, breaks, warnings = [], breaksWith = {} }) => {
    const item = `\`${fault}\`: ${description}`;
    if (breaks.includes(id)) return [item];
    if (warnings.includes(id)) return [`${item} (warn)`];
    const options = Object.entries(breaksWith).flatMap(([option, ids]) =>
      ids?.includes(id) ? [option] : [],
    );
    return options.length === 0 ? [] : [`${item} (with ${options.join(' or ')})`];
  });

/** The violations of a requirement that no sound run can fail, each with the proof. */
export const undecidableFaultsOf = (id: RequirementId): readonly string[] =>
  faults.flatMap(({ description, undecidable }) =>
    undecidable?.requirement === id ? [`${description} ${undecidable.because}`] : [],
  );
