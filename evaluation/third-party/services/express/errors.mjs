import { is } from './settings.mjs';

/** An error that the client caused. */
export class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

/** The body of an error response. */
function errorBody({ status, code, message, issues }) {
  if (is('error-in-envelope')) return { error: { code, message, status } };
  if (is('error-without-status')) return { code, message };
  if (is('message-is-issues') && issues) return { code, message: issues, status };
  if (is('problem-members')) return { type: 'about:blank', title: message, detail: message, status };
  if (is('extra-fields')) return { code, message, status, requestId: crypto.randomUUID(), details: issues };
  return { code, message, status };
}

/** The last middleware: every error becomes an Error body. */
export function onError(error, _request, response, next) {
  if (is('error-handler-left-out')) return next(error);
  const status = error.status ?? 500;
  const parse = error.type?.startsWith('entity.') || error.type === 'encoding.unsupported';
  const code = parse ? 'invalid_body' : (error.code ?? 'internal');
  if (is('connection-closed-after-errors')) response.set('Connection', 'close');
  const shown = is('validation-is-422') && error.issues ? 422 : status;
  response.status(shown).json(errorBody({ ...error, status: shown, code, message: error.message }));
}
