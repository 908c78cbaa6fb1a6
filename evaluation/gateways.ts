import type { Seams } from '../reference-server/seams.ts';
import { headerValues } from '../reference-server/service/message.ts';

// What stands in front of a service: the content of its responses stays the same.

/** The service below a path of its host, such as `/gateway/petstore`, and nothing beside it. */
export const belowPath = (path: string): Seams => ({
  wrapService: (handle) => (request) =>
    handle({
      ...request,
      target: request.target.startsWith(`${path}/v1`) ? request.target.slice(path.length) : '/outside',
    }),
});

/** A gateway that answers 403 to every request without this header. */
export const wantingHeader = (name: string, value: string): Seams => ({
  wrapService: (handle) => (request) => {
    const outcome = handle(request);
    const isAdmitted = outcome.kind === 'dropped' || headerValues(request, name)[0] === value;
    return isAdmitted ? outcome : { ...outcome, status: 403 };
  },
});
