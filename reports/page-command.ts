/** The command that prints the page of a requirement or of an expectation of load: what it rests on, how it is judged, and what it cannot see. */
export const pageCommand = (id: string): string => `npx --no-install petstore-conformance explain ${id}`;
