/** What a user calls the inputs of a run, so that an error names the option or the variable to correct. */
export type InputNames = Readonly<
  Record<'ca' | 'namePattern' | 'openapi' | 'only' | 'quick' | 'skip' | 'spendDay' | 'thorough', string>
>;
