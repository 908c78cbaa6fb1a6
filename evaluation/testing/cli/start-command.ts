import { main } from '../../../interfaces/command/main.ts';

// The command as tests start it, compiled into few files (tools/run-tests.ts).

await main(process.argv);
