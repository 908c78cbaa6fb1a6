import { compileInto } from './compile.ts';

// npm run build: compiles the product into dist/. npm runs it before it packs.

compileInto('dist', { declarations: true });
