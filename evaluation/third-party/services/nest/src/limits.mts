import type { ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { ThrottlerModuleOptions, ThrottlerRequest } from '@nestjs/throttler';
import { ThrottlerGuard, ThrottlerStorageService } from '@nestjs/throttler';
import { is, settings } from './settings.mts';

const { minute, day, exhausted } = settings;
const unixTime = (secondsLeft: number): number => Math.ceil(Date.now() / 1000 + secondsLeft);

/** The throttlers of the minute and of the day, with nothing blocked for longer than it has to be. */
export const throttling: ThrottlerModuleOptions = {
  throttlers: [
    {
      name: 'default',
      ttl: minute.ms,
      limit: minute.limit + (is('limit-one-more') ? 1 : 0),
      ...(is('blocked-for-a-window') ? {} : { blockDuration: 0 }),
    },
    { name: 'day', ttl: day.ms, limit: day.limit, blockDuration: 0 },
  ],
};

/** The storage of the library, with one key whose day is over. */
@Injectable()
export class Storage extends ThrottlerStorageService {
  async increment(key: string, ttl: number, limit: number, blockDuration: number, name: string) {
    if (name !== 'day' || key !== `day ${exhausted}`)
      return super.increment(key, ttl, limit, blockDuration, name);
    const left = day.ms / 2000;
    return { totalHits: limit + 1, timeToExpire: left, isBlocked: true, timeToBlockExpire: left };
  }
}

/** The limiter: each key has one count, and the headers are those of the minute. */
@Injectable()
export class KeyThrottlerGuard extends ThrottlerGuard {
  protected async getTracker(request): Promise<string> {
    if (is('tracked-by-address')) return super.getTracker(request);
    if (is('tracked-by-forwarded')) return request.headers['x-forwarded-for'] ?? request.caller ?? request.ip;
    return request.caller ?? `address ${request.ip}`;
  }

  protected generateKey(context: ExecutionContext, tracker: string, name: string): string {
    if (is('key-of-handler') && name === 'default') return super.generateKey(context, tracker, name);
    return `${name} ${tracker}`;
  }

  protected async shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { method } = context.switchToHttp().getRequest();
    return is('creations-skipped') && method === 'POST';
  }

  protected async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    const { req, res } = this.getRequestResponse(props.context);
    const { name } = props.throttler;
    const anonymous = req.caller === undefined;
    if (anonymous && name === 'day') return true;
    if (is('throttled-as-shipped')) return super.handleRequest(props);
    const limit = anonymous ? 1000 : props.limit;
    const key = props.generateKey(props.context, await props.getTracker(req, props.context), name);
    const { totalHits, timeToExpire, isBlocked, timeToBlockExpire } = await this.storageService.increment(
      key,
      props.ttl,
      limit,
      props.blockDuration,
      name,
    );
    if (name === 'default' || isBlocked) {
      const wait = isBlocked && !is('reset-of-the-record') ? timeToBlockExpire : timeToExpire;
      res.header('X-RateLimit-Limit', limit);
      res.header('X-RateLimit-Remaining', Math.max(0, limit - totalHits));
      res.header('X-RateLimit-Reset', is('reset-as-shipped') ? wait : unixTime(wait));
    }
    if (!isBlocked) return true;
    res.header('Retry-After', is('retry-after-in-ms') ? timeToBlockExpire * 1000 : timeToBlockExpire);
    if (is('headers-dropped-on-429'))
      for (const one of ['Limit', 'Remaining', 'Reset']) res.removeHeader(`X-RateLimit-${one}`);
    await this.throwThrottlingException(props.context, {
      ...props,
      key,
      tracker: key,
      totalHits,
      timeToExpire,
      isBlocked,
      timeToBlockExpire,
    });
    return false;
  }
}
