// @ts-check
/** @import { ConformingClient, FaultyClient } from './client.ts' */
import { appearances } from './conforming/appearances.js';
import { delays } from './conforming/delays.js';
import { works } from './conforming/works.js';
import { backoff } from './faulty/backoff.js';
import { bodies } from './faulty/bodies.js';
import { credentials } from './faulty/credentials.js';
import { persistence } from './faulty/persistence.js';
import { tasks } from './faulty/tasks.js';
import { waiting } from './faulty/waiting.js';

/**
 * Every faulty client, in the order of the tables.
 * @type {readonly FaultyClient[]}
 */
export const faultyClients = [...waiting, ...backoff, ...tasks, ...persistence, ...credentials, ...bodies];

/**
 * Every conforming client that looks as if it did not conform, in the order of the tables.
 * @type {readonly ConformingClient[]}
 */
export const conformingClients = [...delays, ...works, ...appearances];

/**
 * The client of this id.
 * @param {string} id
 * @returns {ConformingClient | FaultyClient | undefined}
 */
export const clientOf = (id) => [...faultyClients, ...conformingClients].find((one) => one.id === id);
