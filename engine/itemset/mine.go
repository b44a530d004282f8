package itemset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Mine finds all frequent itemsets of transactions over items 0..items-1 by FP-Growth: those with
// count >= minSupport * n - 1e-9, and at least 1. A transaction lists its items in any order; an
// item that is listed twice counts once. The result is ordered by size, then by item indices, and
// depends on nothing else. The error is for an item that is out of range, a support outside of (0,
// 1], more than MaxItemsets frequent itemsets, and the end of ctx; all but the last say what is
// wrong. No transactions have no frequent itemsets.
func Mine(ctx context.Context, transactions [][]int, items int, minSupport float64) ([]Itemset, error) {
	if err := checkSupport(minSupport); err != nil {
		return nil, fmt.Errorf("find frequent itemsets: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("find frequent itemsets: %w", err)
	}
	c, err := count(transactions, items)
	if err != nil {
		return nil, fmt.Errorf("find frequent itemsets: %w", err)
	}
	m := miner{ctx: ctx, least: leastCount(len(transactions), minSupport)}
	order, rank := c.frequent(m.least)
	if err := m.grow(c, order, rank); err != nil {
		return nil, fmt.Errorf("find frequent itemsets at minimum support %g: %w", minSupport, err)
	}
	for k, set := range m.found { // ranks to items
		for i, r := range set.Items {
			m.found[k].Items[i] = order[r]
		}
		slices.Sort(set.Items)
	}
	slices.SortFunc(m.found, Itemset.compare)
	return m.found, nil
}

// frequent are the frequent items by falling count (ties: lower index first), and the rank of each
// item in that order, -1 for the others.
func (c counted) frequent(least int) (order, rank []int) {
	rank = make([]int, len(c.counts))
	for item, n := range c.counts {
		rank[item] = -1
		if n >= least {
			order = append(order, item)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.counts[b], c.counts[a]) })
	for r, item := range order {
		rank[item] = r
	}
	return order, rank
}

// miner grows itemsets; items are ranks in it.
type miner struct {
	ctx    context.Context
	least  int
	found  []Itemset
	suffix []int
	path   []int32
}

// grow makes the prefix tree of all transactions and mines it.
func (m *miner) grow(c counted, order, rank []int) error {
	tree := plant(len(order))
	for t, list := range c.transactions {
		if t%4096 == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
		m.path = m.path[:0]
		for _, item := range list {
			if rank[item] >= 0 {
				m.path = append(m.path, int32(rank[item]))
			}
		}
		slices.Sort(m.path)
		tree.insert(m.path, 1)
	}
	return m.mine(tree)
}

// mine outputs every frequent itemset that ends in the suffix: each item of the tree from the
// rarest up with the suffix, then what its conditional tree holds.
func (m *miner) mine(tree *prefixTree) error {
	for r := len(tree.heads) - 1; r >= 0; r-- {
		head := tree.heads[r]
		if head.count < m.least {
			continue
		}
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if len(m.found) == MaxItemsets {
			return fmt.Errorf("there are more than %d: "+
				"raise the minimum support, or leave out items that nearly every transaction has", MaxItemsets)
		}
		m.suffix = append(m.suffix, r)
		m.found = append(m.found, Itemset{Items: slices.Clone(m.suffix), Count: head.count})
		if conditional := m.conditional(tree, r); conditional != nil {
			if err := m.mine(conditional); err != nil {
				return err
			}
		}
		m.suffix = m.suffix[:len(m.suffix)-1]
	}
	return nil
}

// conditional is the tree of the prefix paths of item r, each as often as r ends it, without the
// items that are not frequent in them; nil when none is.
func (m *miner) conditional(tree *prefixTree, r int) *prefixTree {
	counts := make([]int, r)
	for at := tree.heads[r].first; at != 0; at = tree.nodes[at].alike {
		n := int(tree.nodes[at].count)
		for up := tree.nodes[at].parent; up != 0; up = tree.nodes[up].parent {
			counts[tree.nodes[up].item] += n
		}
	}
	if !slices.ContainsFunc(counts, func(n int) bool { return n >= m.least }) {
		return nil
	}
	conditional := plant(r)
	for at := tree.heads[r].first; at != 0; at = tree.nodes[at].alike {
		m.path = m.path[:0]
		for up := tree.nodes[at].parent; up != 0; up = tree.nodes[up].parent {
			if item := tree.nodes[up].item; counts[item] >= m.least {
				m.path = append(m.path, item)
			}
		}
		slices.Reverse(m.path)
		conditional.insert(m.path, tree.nodes[at].count)
	}
	return conditional
}

// prefixTree is the FP-tree: transactions as paths from the root, their items by rising rank, with
// how many of them run through each node. Node 0 is the root.
type prefixTree struct {
	nodes []prefixNode
	heads []prefixHead // by item
}

// prefixNode is one item of paths. All links are indices of nodes, 0 for none.
type prefixNode struct {
	item, count                   int32
	parent, child, sibling, alike int32 // alike: the next node of the same item
}

// prefixHead is where the nodes of an item begin, and how often they occur in all.
type prefixHead struct {
	first int32
	count int
}

func plant(items int) *prefixTree {
	return &prefixTree{nodes: make([]prefixNode, 1, 64), heads: make([]prefixHead, max(items, 0))}
}

// insert adds n transactions of these items, which ascend.
func (t *prefixTree) insert(items []int32, n int32) {
	at := int32(0)
	for _, item := range items {
		at = t.step(at, item)
		t.nodes[at].count += n
		t.heads[item].count += int(n)
	}
}

// step is the child of a node with an item, made where there is none.
func (t *prefixTree) step(parent, item int32) int32 {
	for at := t.nodes[parent].child; at != 0; at = t.nodes[at].sibling {
		if t.nodes[at].item == item {
			return at
		}
	}
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, prefixNode{
		item: item, parent: parent, sibling: t.nodes[parent].child, alike: t.heads[item].first,
	})
	t.nodes[parent].child, t.heads[item].first = at, at
	return at
}
