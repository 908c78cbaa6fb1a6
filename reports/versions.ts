import type { RunRecord } from '../kernel/findings/record.ts';

/** What a record was made with. A load run of an earlier version names no specification. */
type Versions = Pick<RunRecord, 'suite' | 'spec'>;

/** The specification and the version of the suite, in a sentence. */
export const versionsText = ({ spec, suite }: Versions): string =>
  spec === undefined
    ? `Suite ${suite.version}.`
    : `Specification ${spec.version} (${spec.digest}), suite ${suite.version}.`;

/** The same as properties, for the files of build servers. */
export const versionProperties = ({
  spec,
  suite,
}: Versions): readonly (readonly [name: string, value: string])[] => [
  ['suite.version', suite.version],
  ...(spec === undefined
    ? []
    : ([
        ['spec.version', spec.version],
        ['spec.digest', spec.digest],
      ] as const)),
];
