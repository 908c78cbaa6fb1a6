/** The most header lines of a message that an excerpt of an exchange holds; the journal has the rest. */
export const MOST_HEADERS = 60;
