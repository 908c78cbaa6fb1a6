import type { Product } from '../../kernel/basics/product.ts';
import { readProduct } from '../../kernel/basics/product.ts';
import { COMMAND_LINE } from '../../suites/service/inputs/input-names.ts';
import type { ProductOptions } from './commands/options.ts';

/** The product that the command line states. @throws {UserError} when a part cannot be shown. */
export const statedProduct = (options: ProductOptions): Product | undefined =>
  readProduct(
    {
      name: options.product,
      vendor: options.vendor,
      version: options.productVersion,
      configuration: options.productConfiguration,
    },
    COMMAND_LINE.product,
  );
