/**
 * What can be built into the seams of the reference server: faults, each one
 * way to break the specification, and variants, each one way to keep it that
 * looks like a violation. The server knows nothing of this room.
 */
export type { Fault } from './faults/fault.ts';
export { describeFaults, type FaultRow, faults, findFault } from './faults/index.ts';
export { UnknownEntryError } from './find-entry.ts';
export { describeVariants, findVariant, type VariantRow, variants } from './variants/index.ts';
export { type Row, rows as variantRows } from './variants/rows.ts';
export type { Variant } from './variants/variant.ts';
