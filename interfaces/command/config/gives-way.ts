/** What a user may state in other words: an entry of the file gives way to each of these options. */
const RIVALS: Readonly<Record<string, readonly string[]>> = {
  apiKeyEnv: ['apiKeyFile'],
  fleetKeysEnv: ['fleetKeysFile'],
  quick: ['thorough', 'spendDay', 'only'],
  thorough: ['quick', 'serve'],
  only: ['quick', 'serve'],
  words: ['serve', 'template'],
  jobs: ['serve'],
  seconds: ['serve'],
};

/** Whether an entry of the file does not count, because the user gives the option or states the same in other words. */
export const givesWay = (option: string, isGiven: (option: string) => boolean): boolean =>
  [option, ...(RIVALS[option] ?? [])].some(isGiven);
