import { ApiError } from '../http/errors.ts';
import { toRawJson } from '../http/json.ts';
import type { Call, Operations, Reply } from '../http/operation.ts';
import { createPageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { CategoryRow, NewCategory } from '../store/category-rows.ts';
import type { Store } from '../store/index.ts';

export function createCategoryOperations({ categories, transaction }: Store): Operations {
  const list: List<CategoryRow> = {
    name: 'categories',
    path: '/categories',
    getId: (row) => row.id,
    format: formatCategory,
  };
  return {
    listCategories: ({ query }: Call<undefined, PageQuery>) =>
      createPageReply(list, query, categories.list(readPage(list, query))),
    createCategory: ({ body }: Call<NewCategory>) => {
      const createdCategory = transaction(() => categories.insert(body));
      return { ...toReply(createdCategory), status: 201, headers: { Location: `/categories/${createdCategory.id}` } };
    },
    getCategory: ({ path }: Call) =>
      toReply(categories.get(path.categoryId!) ?? throwCategoryNotFound(path.categoryId!)),
    replaceCategory: ({ path, body }: Call<NewCategory>) =>
      toReply(transaction(() => categories.update(path.categoryId!, body)) ?? throwCategoryNotFound(path.categoryId!)),
    deleteCategory: ({ path }: Call) =>
      transaction(() => {
        const { id } = categories.get(path.categoryId!) ?? throwCategoryNotFound(path.categoryId!);
        if (categories.hasPets(id)) {
          throw new ApiError('category_in_use', `Category ${id} has pets: move or delete them first.`);
        }
        categories.remove(id);
        return { status: 204 };
      }),
  };
}

const toReply = (row: CategoryRow): Reply => ({ status: 200, body: formatCategory(row) });

function formatCategory({ id, name, description }: CategoryRow): string {
  return JSON.stringify({ id: toRawJson(id), name, description: description ?? undefined });
}

function throwCategoryNotFound(id: bigint): never {
  throw new ApiError('category_not_found', `There is no category ${id}.`);
}
