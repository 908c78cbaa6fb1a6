import type { Command } from 'commander';
import { fileFor } from '../options/config-file/file-for.ts';
import type { ConfigurableCommand } from '../options/config-file/values.ts';
import type { Terminal } from './terminal.ts';

/** Lets a command read a configuration file before it acts: it gives the options that the command line does not have. */
export const configurable = (command: Command, name: ConfigurableCommand, terminal: Terminal): Command =>
  command.hook('preAction', async (_command, acting) => {
    const { config } = command.opts<{ readonly config?: string | false }>();
    if (acting !== command || fileFor(config) === undefined) return;
    // Loaded only here, so that a run without a file starts quickly.
    const { optionsInFile } = await import('../options/config-file/read-options.ts');
    const { appliesTo } = await import('../options/given.ts');
    const given = Object.fromEntries(
      Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
    );
    const read = optionsInFile(name, given, process.env);
    if (read === undefined) return;
    for (const [option, value] of Object.entries(read.values)) {
      // A file has options for profiles that this run is not of.
      if (name !== 'load' || appliesTo(option, command.args[0] ?? ''))
        command.setOptionValueWithSource(option, value, 'config');
    }
    terminal.err.write(`${read.sentence}\n`);
  });
