/** Fields that may be undefined become fields that may be absent. */
type DefinedFields<T> = string extends keyof T
  ? { readonly [Name in keyof T]: Exclude<T[Name], undefined> }
  : { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
      [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
    };

/** The same fields without those that are undefined, for a type whose optional fields are absent or have a value. */
export const definedFields = <T extends object>(fields: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>;
