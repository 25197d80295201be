/** What only equipment has: its categories, to filter by. */
import { listCategories } from '../records/resource/categories.ts'
import { consoleRoute } from './route.ts'

export interface CategoriesAnswer {
  categories: string[]
}

const showCategories = consoleRoute({
  method: 'GET',
  path: '/console/equipment/categories',
  answer: async ({ reports, companyId }): Promise<CategoriesAnswer> => ({
    categories: await listCategories(reports, companyId),
  }),
})

export const equipmentRoutes = [showCategories]
