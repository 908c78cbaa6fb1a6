// The Pet Store Service with NestJS: class-validator checks bodies, TypeORM keeps categories in SQLite (sql.js), and
// @nestjs/throttler counts.
import 'reflect-metadata';
import type {
  CallHandler,
  CanActivate,
  ExecutionContext,
  MiddlewareConsumer,
  NestInterceptor,
  NestModule,
} from '@nestjs/common';
import {
  BadRequestException,
  Body,
  ClassSerializerInterceptor,
  ConflictException,
  Controller,
  Get,
  Header,
  HttpCode,
  Injectable,
  Module,
  NotImplementedException,
  Post,
  Query,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { SkipThrottle, ThrottlerModule, ThrottlerStorage } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { instanceToPlain } from 'class-transformer';
import { json } from 'express';
import helmet from 'helmet';
import { map } from 'rxjs';
import { IsNull, Repository } from 'typeorm';
import { Category, NewCategory } from './category.mts';
import { ErrorFilter } from './errors.mts';
import { KeyThrottlerGuard, Storage, throttling } from './limits.mts';
import { is, settings } from './settings.mts';

const none = (): void => undefined;
const keys = [...settings.keys, settings.exhausted];

/** Finds the caller before the guards run. */
function identify(request, _response, next) {
  const [scheme, key] = (request.headers.authorization ?? '').split(' ');
  const named = is('scheme-not-checked') || scheme.toLowerCase() === 'bearer';
  request.caller = named ? keys.find((one) => one === key) : undefined;
  if (is('query-token') && request.query.access_token)
    request.caller = keys.find((one) => one === request.query.access_token);
  next();
}

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    if (http.getRequest().caller !== undefined) return true;
    if (is('guard-says-false')) return false;
    http.getResponse().header('WWW-Authenticate', 'Bearer');
    throw new UnauthorizedException('The API key is missing or invalid.');
  }
}

const parser = json({ limit: '100kb' });

/** Reads the body after the guards, so that the answer to one that is not JSON has the headers of the limiter. */
@Injectable()
class BodyReader implements NestInterceptor {
  async intercept(context: ExecutionContext, handler: CallHandler) {
    const http = context.switchToHttp();
    await new Promise<void>((resolve, reject) => {
      const failed = (error?: Error) => (error ? reject(new BadRequestException(error.message)) : resolve());
      parser(http.getRequest(), http.getResponse(), failed);
    });
    return handler.handle();
  }
}

/** Leaves out what is null, and wraps or orders what services wrap or order. */
@Injectable()
class Shape implements NestInterceptor {
  intercept(_context: ExecutionContext, handler: CallHandler) {
    return handler
      .handle()
      .pipe(map((value) => (is('answers-wrapped') ? { statusCode: 200, data: value } : value)));
  }
}

const plain = (row: Category) => {
  const one = instanceToPlain(row);
  if (is('ids-as-text')) one.id = String(one.id);
  if (one.description === null && !is('description-null')) delete one.description;
  return one;
};

let kept: { at: number; rows: unknown } | undefined;

@Controller('categories')
@(is('guard-on-the-controller') ? UseGuards(KeyGuard) : none)
class Categories {
  constructor(@InjectRepository(Category) private readonly table: Repository<Category>) {}

  @Get()
  @(is('lists-not-throttled') ? SkipThrottle() : none)
  async list(@Query('page') page?: string, @Query('limit') limit?: string) {
    if (is('cached-for-five-seconds') && kept !== undefined && Date.now() - kept.at < 5000) return kept.rows;
    const taken = is('take-ten') ? { take: Number(limit ?? 10), skip: (Number(page ?? 1) - 1) * 10 } : {};
    const rows = (await this.table.find({ where: { deletedAt: IsNull() }, ...taken })).map(plain);
    kept = { at: Date.now(), rows };
    return rows;
  }

  @Post()
  @(is('created-as-200') ? HttpCode(200) : none)
  @Header('Cache-Control', 'no-store')
  async create(@Body() body: NewCategory) {
    const id = is('ids-of-53-bits') ? { id: Math.floor(Math.random() * 2 ** 53) } : {};
    const { name, description } = body;
    const made = is('saved-as-sent') ? { ...body } : { name, description, ...id };
    if (is('name-checked-first') && (await this.table.existsBy({ name })))
      throw new ConflictException('The name exists.');
    if (is('upsert-by-name')) {
      const found = await this.table.findOneBy({ name });
      if (found) return plain(await this.table.save({ ...found, ...made } as Category));
    }
    try {
      const saved = await this.table.save(this.table.create(made as Category));
      if (is('soft-deleted-oldest') && (await this.table.count()) > 9) {
        const [oldest] = await this.table.find({ order: { id: 'ASC' }, take: 1 });
        await this.table.softRemove(oldest);
      }
      if (is('saved-is-returned')) return { ...made, id: saved.id };
      return plain(await this.table.findOneByOrFail({ id: saved.id } as never));
    } catch (error) {
      if (is('names-unique-as-shipped') || !String(error.message).includes('UNIQUE')) throw error;
      throw new ConflictException('The name exists.');
    }
  }
}

@Controller()
class Named {
  @Get(['store/orders', 'pets/:petId'])
  @(is('orders-not-throttled') ? SkipThrottle({ default: true, day: true }) : none)
  answer() {
    throw new NotImplementedException('Not implemented yet.');
  }
}

const guards = is('key-guard-first') ? [KeyGuard, KeyThrottlerGuard] : [KeyThrottlerGuard, KeyGuard];
const chosen = is('guard-on-the-controller') ? [KeyThrottlerGuard] : guards;

@Module({
  imports: [
    ThrottlerModule.forRoot(throttling),
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Category], synchronize: true, logging: false }),
    TypeOrmModule.forFeature([Category]),
  ],
  controllers: [Categories, Named],
  providers: [
    { provide: ThrottlerStorage, useClass: Storage },
    ...chosen.map((useClass) => ({ provide: APP_GUARD, useClass })),
    ...(is('filter-left-out') ? [] : [{ provide: APP_FILTER, useClass: ErrorFilter }]),
    ...(is('parsed-as-shipped') ? [] : [{ provide: APP_INTERCEPTOR, useClass: BodyReader }]),
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
    { provide: APP_INTERCEPTOR, useClass: Shape },
  ],
})
class PetStore implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(identify).forRoutes('{*path}');
  }
}

const app = await NestFactory.create(PetStore, {
  logger: process.env.LOGGED ? undefined : false,
  cors: is('cors'),
  bodyParser: is('parsed-as-shipped'),
});
app.setGlobalPrefix('v1');
if (is('uri-versioning')) app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' });
if (!is('helmet-left-out')) app.use(helmet());
if (!is('pipe-left-out'))
  app.useGlobalPipes(
    new ValidationPipe({
      whitelist: !is('whitelist-left-out'),
      forbidNonWhitelisted: is('unknown-fields-rejected'),
      transform: true,
      transformOptions: { enableImplicitConversion: is('implicit-conversion') },
      skipMissingProperties: is('missing-skipped'),
      stopAtFirstError: is('first-error-only'),
      ...(is('validation-is-422') ? { errorHttpStatusCode: 422 } : {}),
      exceptionFactory: is('exceptions-of-validation', 'validation-is-422')
        ? undefined
        : (errors) =>
            new BadRequestException(
              errors.flatMap(({ constraints }) => Object.values(constraints ?? { nested: 'invalid' })),
            ),
    }),
  );
await app.listen(settings.port, '127.0.0.1');
