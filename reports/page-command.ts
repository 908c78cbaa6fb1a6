/** The command that prints the page of a requirement: the sentence that it rests on, how it is judged, what it cannot see, and how to fix it. */
export const pageCommand = (id: string): string => `petstore-conformance explain ${id}`;
