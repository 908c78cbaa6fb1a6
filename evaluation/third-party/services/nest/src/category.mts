import { Exclude, Expose, Transform } from 'class-transformer';
import { IsInt, IsNotEmpty, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { is } from './settings.mts';

const none: PropertyDecorator = () => undefined;
const when = (id: string, one: PropertyDecorator, other = none): PropertyDecorator => (is(id) ? one : other);

/** The body of a creation. */
export class NewCategory {
  @when('text-not-checked', none, IsString())
  @when('names-may-be-empty', none, IsNotEmpty())
  @when('names-of-3-to-40', Length(3, 40))
  @when('names-of-letters', Matches(/^[\p{L} ]+$/u))
  @when(
    'texts-trimmed',
    Transform(({ value }) => (typeof value === 'string' ? value.trim() : value)),
  )
  @when(
    'names-cast',
    Transform(({ value }) => String(value)),
  )
  @when(
    'names-capitalized',
    Transform(({ value }) => String(value).replace(/^./u, (one) => one.toUpperCase())),
  )
  name: string;

  @when('description-required', none, IsOptional())
  @when('text-not-checked', none, IsString())
  @when('descriptions-of-100', MaxLength(100))
  description?: string;

  @when('saved-as-sent', IsOptional())
  @when('saved-as-sent', IsInt())
  id?: number;
}

/** A row of the table. */
@Entity()
export class Category {
  @when('ids-of-53-bits', PrimaryColumn({ type: 'integer' }), PrimaryGeneratedColumn())
  id: number;

  @Column({
    type: 'varchar',
    unique: is('names-unique-409', 'names-unique-as-shipped'),
    ...(is('names-in-nocase') ? { collation: 'NOCASE' } : {}),
  })
  name: string;

  @Column({ type: 'text', nullable: true, select: !is('description-not-selected') })
  description?: string;

  @CreateDateColumn()
  @(is('extra-fields') ? Expose() : Exclude())
  createdAt: Date;

  @DeleteDateColumn()
  @Exclude()
  deletedAt?: Date;
}
