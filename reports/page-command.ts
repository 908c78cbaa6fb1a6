import type { LoadFinding } from '../load/model/record.ts';

/** The command that prints the page of a requirement: the sentence that it rests on, how it is judged, what it cannot see, and how to fix it. */
export const pageCommand = (id: string): string => `petstore-conformance explain ${id}`;

/** Whether an expectation of load has a page; a threshold is the user's own. */
export const hasPage = ({ id }: LoadFinding): boolean => id !== 'LATENCY' && !id.startsWith('THRESHOLD-');
