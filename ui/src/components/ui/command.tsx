import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function Command({ className, ...props }: ComponentProps<typeof Cmdk>) {
  return <Cmdk className={cn('flex min-h-0 flex-1 flex-col', className)} {...props} />
}

export function CommandInput({ className, ...props }: ComponentProps<typeof Cmdk.Input>) {
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-b px-4">
      <Search size={16} className="text-text-3" aria-hidden />
      <Cmdk.Input className={cn('h-full min-w-0 flex-1 bg-transparent text-[14px] outline-none placeholder:text-text-3', className)} {...props} />
    </div>
  )
}

export function CommandList({ className, ...props }: ComponentProps<typeof Cmdk.List>) {
  return <Cmdk.List className={cn('min-h-0 flex-1 scroll-py-2 overflow-y-auto overflow-x-hidden p-1.5', className)} {...props} />
}

export function CommandGroup({ className, ...props }: ComponentProps<typeof Cmdk.Group>) {
  return (
    <Cmdk.Group
      className={cn('[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-text-3', className)}
      {...props}
    />
  )
}

export function CommandItem({ className, ...props }: ComponentProps<typeof Cmdk.Item>) {
  return (
    <Cmdk.Item
      className={cn('flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1 outline-none data-[selected=true]:bg-selected', className)}
      {...props}
    />
  )
}

export const CommandEmpty = Cmdk.Empty
