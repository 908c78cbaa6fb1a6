import axios from 'axios';
import axiosRetry from 'axios-retry';
import { authorization, url, work } from './petstore.mjs';

// axios-retry with the delay that its README recommends; the configured program is axios-retry.mjs.
const client = axios.create({ headers: authorization });
axiosRetry(client, { retryDelay: axiosRetry.exponentialDelay });
await work((method, data) => client({ url, method, data }));
