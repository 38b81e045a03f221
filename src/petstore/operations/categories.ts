import { ApiError } from '../http/errors.ts';
import { exact } from '../http/json.ts';
import type { Call, Operations, Reply } from '../http/operation.ts';
import { pageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { CategoryRow, NewCategory } from '../store/category-rows.ts';
import type { Store } from '../store/index.ts';

export function categoryOperations({ categories, transaction }: Store): Operations {
  const list: List<CategoryRow> = { name: 'categories', path: '/categories', idOf: (row) => row.id, show };
  return {
    listCategories: ({ query }: Call<undefined, PageQuery>) =>
      pageReply(list, query, categories.list(readPage(list, query))),
    createCategory: ({ body }: Call<NewCategory>) => {
      const made = transaction(() => categories.insert(body));
      return { ...reply(made), status: 201, headers: { Location: `/categories/${made.id}` } };
    },
    getCategory: ({ path }: Call) => reply(categories.get(path.categoryId!) ?? missing(path.categoryId!)),
    replaceCategory: ({ path, body }: Call<NewCategory>) =>
      reply(transaction(() => categories.update(path.categoryId!, body)) ?? missing(path.categoryId!)),
    deleteCategory: ({ path }: Call) =>
      transaction(() => {
        const { id } = categories.get(path.categoryId!) ?? missing(path.categoryId!);
        if (categories.hasPets(id)) {
          throw new ApiError('category_in_use', `Category ${id} has pets: move or delete them first.`);
        }
        categories.remove(id);
        return { status: 204 };
      }),
  };
}

const reply = (row: CategoryRow): Reply => ({ status: 200, body: show(row) });

function show({ id, name, description }: CategoryRow): string {
  return JSON.stringify({ id: exact(id), name, description: description ?? undefined });
}

function missing(id: bigint): never {
  throw new ApiError('category_not_found', `There is no category ${id}.`);
}
