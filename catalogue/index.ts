/**
 * Behaviour that is built into the seams of the reference server: faults, each
 * one way to violate the specification, and conforming variants, each one way
 * to conform that looks like a violation. Replicas that share a store are a
 * conforming variant that takes several processes. The server does not import
 * this folder.
 */
export { decidingOptions, type Fault, type RunOption } from './faults/fault.ts';
export { describeFaults, type FaultEntry, faults, findFault } from './faults/index.ts';
export { UnknownEntryError } from './find-entry.ts';
export { connectRedis, StoreUnreachableError } from './replicas/redis.ts';
export { createReplica, type ReplicaOptions } from './replicas/replica.ts';
export type {
  OutagePolicy,
  SharedStore,
} from './replicas/shared-store.ts';
export { describeVariants, findVariant, type VariantEntry, variants } from './variants/index.ts';
export { type Topic, topics as variantTopics } from './variants/topics.ts';
export type { Variant } from './variants/variant.ts';
