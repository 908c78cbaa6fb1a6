// @ts-check

import { work } from './core.js';
import { clientOf } from './index.js';

// node evaluation/clients/catalogue/start.js ID: starts a client of the catalogue, as certify-client expects it. Its
// files are JavaScript, because a certification starts it some twenty times and a start should cost little.

const client = clientOf(process.argv[2] ?? '');
if (client === undefined) {
  process.stderr.write(`The catalogue has no client "${process.argv[2] ?? ''}".\n`);
  process.exitCode = 2;
} else if (!(await work(client.behaviour, process.env))) process.exitCode = 1;
