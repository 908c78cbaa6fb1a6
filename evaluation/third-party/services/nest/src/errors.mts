import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch, HttpException } from '@nestjs/common';
import { is } from './settings.mts';

const codes = {
  400: 'INVALID_BODY',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
  501: 'NOT_IMPLEMENTED',
};

/** Writes every exception as an Error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse();
    const known = exception instanceof HttpException;
    const status = known ? exception.getStatus() : 500;
    const given = known ? exception.getResponse() : {};
    const texts = (given as { message?: string | string[] }).message ?? 'Something broke.';
    const message = is('message-as-list') ? texts : [texts].flat().join('; ');
    const error = { code: codes[status] ?? `HTTP_${status}`, message, status };
    if (is('status-code-member'))
      return response.status(status).json({ ...error, statusCode: status, status: undefined });
    if (is('errors-with-200')) return response.status(200).json(error);
    if (is('path-and-time'))
      Object.assign(error, { path: host.switchToHttp().getRequest().url, timestamp: new Date() });
    response.status(status).json(error);
  }
}
