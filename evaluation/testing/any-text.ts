import fc from 'fast-check';

const codePoints = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff }));

/** Texts of any code points, half surrogate pairs included. The unit `binary` of fast-check takes a second to prepare in each process. */
export const anyText = (maxLength = 20): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength }),
    fc
      .array(codePoints, { maxLength: Math.floor(maxLength / 2) })
      .map((points) => String.fromCodePoint(...points)),
  );
