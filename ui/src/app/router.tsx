import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { validateCompareSearch } from '@/features/compare/search'
import { prefetchFlow } from '@/features/flow/queries'
import { validateFlowSearch } from '@/features/flow/search'
import { validateConversationSearch } from '@/features/conversation/search'
import { validateInsightsSearch } from '@/features/insights/search'
import { LiveView } from '@/features/live'
import { validateLiveSearch } from '@/features/live/search'
import { knownSession } from '@/hooks/use-current-session'
import { Shell } from './Shell'

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  validateSearch: (raw: Record<string, unknown>): { session?: string } =>
    typeof raw['session'] === 'string' && raw['session'] !== '' ? { session: raw['session'] } : {},
  component: Shell,
  errorComponent: ({ error, reset }) => <ErrorNotice error={error} what="The page stumbled" onRetry={reset} />,
  notFoundComponent: () => <Notice icon={Radar} title="There is no such view">The Live view is one click away, above.</Notice>,
})

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/live', search, replace: true })
  },
})

const live = createRoute({
  getParentRoute: () => root,
  path: '/live',
  validateSearch: validateLiveSearch,
  component: LiveView,
})

const flow = createRoute({
  getParentRoute: () => root,
  path: '/flow',
  validateSearch: validateFlowSearch,
  loaderDeps: ({ search }) => ({ session: (search as { session?: string }).session }),
  loader: ({ context, deps }) => {
    const id = deps.session ?? knownSession(context.client)
    if (id !== undefined) prefetchFlow(context.client, id)
  },
  component: lazyRouteComponent(() => import('@/features/flow'), 'FlowView'),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: validateCompareSearch,
  component: lazyRouteComponent(() => import('@/features/compare'), 'CompareView'),
})

const insights = createRoute({
  getParentRoute: () => root,
  path: '/insights',
  validateSearch: validateInsightsSearch,
  component: lazyRouteComponent(() => import('@/features/insights'), 'InsightsView'),
})

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/conversation',
  validateSearch: validateConversationSearch,
  component: lazyRouteComponent(() => import('@/features/conversation'), 'ConversationView'),
})

export const router = createRouter({
  context: { client: undefined as unknown as QueryClient }, // Providers hands it in
  routeTree: root.addChildren([index, live, flow, compare, insights, conversation]),
  defaultPreload: false,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
